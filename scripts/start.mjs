// `npm start` is `node scripts/start.mjs ; exec node scripts/run.mjs`. A POSIX shell runs this file, which does nothing, and then
// puts the program in its own place: dash would otherwise keep a SIGINT that npm passes on to itself, and the gateway would stay
// (test/cli/signals.test.ts). cmd.exe has no `exec` and takes the semicolon for a blank: there this file gets the rest of the line,
// and runs it.
const [separator, , , program, ...args] = process.argv.slice(2)

if (separator === ';') {
  process.argv = [process.argv[0], program, ...args]
  await import(new URL(`../${program}`, import.meta.url))
}
