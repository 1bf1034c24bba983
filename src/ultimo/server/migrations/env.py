"""Runs the migrations over the connection that `ultimo.server.schema.upgrade` has opened.

Alembic loads this file under a name of its own, and only then is there anything to run.
"""

from alembic import context

from ultimo.server.schema import metadata

if __name__ == "env_py":
    context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
    context.run_migrations()
