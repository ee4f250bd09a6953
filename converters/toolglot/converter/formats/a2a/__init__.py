"""Skills of A2A agent cards."""
