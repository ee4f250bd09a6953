"""What several formats share: tables that map a document to the hub and back, names, parameters, calls, migrations."""
