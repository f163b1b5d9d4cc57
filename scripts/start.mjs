// `npm start` is `node scripts/start.mjs ; exec node src/cli/main.ts`. A POSIX shell runs this file, which does nothing, and
// then puts the program in its own place, so that it gets the signals npm passes on: some shells keep them to themselves.
// cmd.exe has no `exec` and takes the semicolon for a blank: there this file gets the rest of the line, and runs it.
const [separator, , , program, ...args] = process.argv.slice(2)

if (separator === ';') {
  process.argv = [process.argv[0], program, ...args]
  await import(new URL(`../${program}`, import.meta.url))
}
