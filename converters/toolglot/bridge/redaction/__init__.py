"""Secrets out of what a tool returned, before a model, a log or a person reads it: `result_filter.ResultFilter`."""
