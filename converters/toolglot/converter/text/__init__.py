"""Text and data: `document_reader.load` reads JSON, JSON Lines, YAML and front matter; `serialization` writes them.

document_reader  bytes to data, and how much of a text is read
    source_text     bytes as text, whose offsets become lines and columns
    json_reader     JSON, exactly; JSON with comments
    yaml_reader     YAML, from the events of libyaml
    front_matter_reader  YAML between lines of dashes, above a body
    kdl_reader      KDL
    toml_reader     TOML, of settings and configurations
serialization   data to text
    yaml_writer     YAML that every reader takes for the same data
plain_data      data that did not come from a text
compression     gzip and Zstandard
pointers        JSON Pointers, and what stands where they lead

What is looked for in prose, and how ours is written:

sentences       paragraphs, sentences, one line
wording         pieces of our sentences: values, names, texts cut to length
terminal_characters
                what no terminal should get as it is
matching        two lists of texts beside each other
sequences       which things of a row belong together, and where two rows are alike
similar_names   which known name somebody meant who wrote an unknown one
digests         a few digits in which long names differ
english         whether a text is English
foreign_patterns   regular expressions of other people
caches             what functions gave lately: results by short texts, and by an object itself
credentials     what a credential looks like in a text, and a secret in data
uri_templates   values in the parts of an address
"""
