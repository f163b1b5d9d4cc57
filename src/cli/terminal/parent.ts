interface ParentOptions {
  /** The number of the process that started this one, as it is now: another once that one has ended. */
  readonly parent: () => number
  /** The text of a file; undefined when there is none. */
  readonly readFile: (path: string) => string | undefined
  /** Calls back again and again; returns how to stop. */
  readonly every: (run: () => void) => () => void
}

/**
 * Remembers who started this program; the function it returns calls back, once in all, when that one has ended. A package
 * manager that is killed cannot pass that on, and a shell between it and us lives on as if nothing had happened: so the
 * one who started such a shell is watched too.
 */
export function createParentWatch({ parent, readFile, every }: ParentOptions): (onGone: () => void) => () => void {
  const first = parent()
  const starter = isCommandShell(first) ? parentOf(first) : undefined
  let told = false

  function read(path: string): string | undefined {
    try {
      return readFile(path)
    } catch {
      // A process may end while it is asked about.
      return undefined
    }
  }

  /** Only Linux tells. Elsewhere shells replace themselves with the program. */
  function parentOf(pid: number): number | undefined {
    // The second field is a name in brackets and may hold anything.
    const [, found] = /^.*\) \S (\d+) /s.exec(read(`/proc/${pid}/stat`) ?? '') ?? []
    return found === undefined ? undefined : Number(found)
  }

  function isCommandShell(pid: number): boolean {
    return /^-\w*c$/.test(read(`/proc/${pid}/cmdline`)?.split('\0')[1] ?? '')
  }

  function isGone(): boolean {
    return parent() !== first || (starter !== undefined && (parentOf(first) ?? starter) !== starter)
  }

  return (onGone) =>
    every(() => {
      if (told || !isGone()) return
      told = true
      onGone()
    })
}
