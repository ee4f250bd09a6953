"""OpenAPI and Swagger: one tool an operation of an HTTP API."""
