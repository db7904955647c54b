"""The tools Read, Write, Edit, Glob and Grep, each in the module of its name: `aries_tool_files.read.Read` ..."""
