import type { Target } from './client.ts'

/**
 * What Codex reads about a model: for a name it does not know it would offer no patches, assume much more context than there
 * is, and say so in every session. Which fields it wants was tried with Codex 0.169.
 */
export function codexCatalogue({ model, context }: Pick<Target, 'model' | 'context'>): string {
  const entry = {
    slug: model,
    display_name: model,
    description: '',
    default_reasoning_level: null,
    supported_reasoning_levels: [],
    shell_type: 'unified_exec',
    visibility: 'list',
    supported_in_api: true,
    priority: 1,
    base_instructions: instructions,
    supports_reasoning_summaries: false,
    support_verbosity: false,
    apply_patch_tool_type: 'freeform',
    truncation_policy: { mode: 'tokens', limit: Math.min(10_000, Math.floor(context / 4)) },
    supports_parallel_tool_calls: true,
    context_window: context,
    experimental_supported_tools: [],
  }
  return JSON.stringify({ models: [entry] })
}

const instructions = `You are a coding agent in a terminal. You work in the user's folder with the tools you have, until what the user asked for is done.

- Look before you change: read the files that matter first.
- Change files with apply_patch, and make no other changes than you were asked for.
- Try what you changed, if there is a way to, such as the project's tests.
- At the end, say in a few words what you did.

A patch looks like this:

*** Begin Patch
*** Update File: src/app.py
@@ def greet():
     name = "you"
-    print("Hi")
+    print("Hi", name)
*** Add File: notes.txt
+The first line
*** End Patch

Each line of an update begins with a sign: a space for a line that stays, - for one to be removed, + for a new one. Lines that
stay or are removed are copied exactly, with their indentation, and about three lines around each change show where it is.
*** Delete File: removes a file.`
