"""Reports for people and for other programs: one list of entries, and a renderer for each form.

sheets        what `convert`, `diff` and `migrate` report, in one shape
    entries       one entry: what happened, to which tool, and why
    entry_tally   the entries of any number of reports
forms         which form a file has, by the ending of its name
text          the report on a terminal
    headline      its first line
    grouping      what is told of several tools, told once
markdown      for a pull request
page          one page that loads nothing
"""
