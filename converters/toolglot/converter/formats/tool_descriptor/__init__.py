"""The openwop ToolDescriptor (RFC 0078)."""
