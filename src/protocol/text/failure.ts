/**
 * How tools begin to tell of a failure: `Error: …`, `{"error": …}`, `<tool_use_error>`, `ENOENT: …`, `Could not edit …`. Further
 * on such words say nothing, since files may speak of errors anywhere.
 */
const beginning =
  /^\W*(?:[\w.-]*(?:error|exception)\b(?!"?\s*:\s*(?:null|false|""|\[\]))|(?:failed|fatal|traceback|enoent|eacces|eexist|eisdir|eperm|could ?n[o']t|cannot|can't|unable to|no such|not found|invalid)\b)/i

/** Whether a tool's result says by itself that the call went wrong. */
export function saysFailure(text: string): boolean {
  return beginning.test(text.slice(0, 200))
}
