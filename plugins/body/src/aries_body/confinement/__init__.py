"""What the operating system keeps the body from: one module a means, and the choice among them."""
