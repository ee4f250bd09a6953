"""Cards: `tool_card.cards_of` makes them of a document, `markdown.card_to_markdown` prints one.

A card is what a person wants to see of a tool before using it. The command `show`, the pages of a catalogue and editors
take it from here. Every text on it is somebody else's.

tool_card           one `ToolCard` a tool: what is shown of it, as plain values
    safety_facts        each fact about its danger, and who says it
    badges              danger in words, at a glance
    parameter_rows      its parameters
markdown            a card as Markdown
hidden_characters   what hides in a text is made visible
"""
