"""What commands print: what they found and changed, for people and for other programs, a renderer for each form.

What a conversion, a comparison or a migration changed:

sheets           what `convert`, `diff` and `migrate` report, in one shape
    entries          the changes that people are told, and how grave each is
    entry_texts      what they read of one: its tool, its field, its values, the line of it, and its finding
    entry_tally      the entries of any number of reports, in bounded memory
report_of_sources  of a conversion: what each of many sources became, and all of them together
report_forms     which form a file has, by the ending of its name
terminal_report  the report on a terminal
    verbose_report   with `-v`: every change
    headline         its first line, which every form has
    grouping         what is told of several tools, told once
markdown         for a pull request
html_page        one page that loads nothing
sarif            as services show it beside lines; the findings of `check`, too

What one verb prints:

findings         of `check`: as text, as JSON, and as GitHub, GitLab and JUnit have them
diff_report      of `diff` and `pull --check`: as text, JSON and Markdown
cards            of `show`, as text
unified_diffs    of files, as `git apply` takes them
"""
