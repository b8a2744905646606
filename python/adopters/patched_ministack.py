"""A pytest plugin that answers MiniStack's entries by eventrie."""

import with_ministack

with_ministack.patch()
