"""Secrets out of what a tool returned, before a model, a log or a person reads it: `result_filter.ResultFilter`.

result_filter   what a caller asks for: secrets redacted, a length that is not exceeded
    json_text       secrets in JSON, which stays JSON
    free_text       secrets in any other text
        named_values    whether what stands behind the name of a secret is one
        kubernetes      secrets in manifests
        tables          secrets in rows and columns
"""
