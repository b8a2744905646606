"""A pytest plugin that answers moto's entries by eventrie."""

import with_moto

with_moto.patch()
