"""What a request is answered with, worked out from plain values: a shell reads, asks here, and sends."""
