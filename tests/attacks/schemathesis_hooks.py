"""What Schemathesis does not know: the media type of uploads (tus). Named by the variable SCHEMATHESIS_HOOKS."""

import schemathesis

schemathesis.serializer.alias("application/offset+octet-stream", "application/octet-stream")
