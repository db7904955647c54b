"""The one place that decides about side effects."""
