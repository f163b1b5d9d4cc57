import type { JsonObject } from '../../protocol/json.ts'
import type { Message } from '../../protocol/message.ts'
import { define, exchange } from './task.ts'
import {
  add,
  cities,
  coding,
  everyday,
  files,
  mail,
  multiply,
  oneOf,
  people,
  readFile,
  runCommand,
  text,
  timer,
  tool,
  weather,
  words,
} from './tools.ts'

/** Several calls at once, no call at all, and turns that go on from results. */

const parallel = define('parallel', {
  'two cities': (dice) => {
    const two = dice.several(cities, 2)
    return {
      says: `What is the weather in ${two.join(' and in ')}? Ask for both at once.`,
      tools: everyday,
      calls: two.map((city) => ({ name: weather.name, arguments: { city } })),
    }
  },
  'three cities': (dice) => {
    const three = dice.several(cities, 3)
    return {
      says: `Compare the weather in ${three.join(', ')}. Ask for all three at once.`,
      tools: everyday,
      calls: three.map((city) => ({ name: weather.name, arguments: { city } })),
    }
  },
  'two different tools': (dice) => {
    const [city, minutes] = [dice.pick(cities), dice.whole(2, 55)]
    return {
      says: `Do both at once: get the weather in ${city}, and set a timer for ${minutes} minutes with the label "tea".`,
      tools: everyday,
      calls: [
        { name: weather.name, arguments: { city } },
        { name: timer.name, arguments: { minutes, label: 'tea' } },
      ],
    }
  },
  'three files': (dice) => {
    const three = dice.several(files, 3)
    return {
      says: `Read the files ${three.join(', ')}, all three at once.`,
      tools: coding,
      calls: three.map((path) => ({ name: readFile.name, arguments: { path } })),
    }
  },
  'two sums': (dice) => {
    const [a, b] = [dice.whole(100, 999), dice.whole(100, 999)]
    return {
      says: `With the tools, and both at once: add ${a} and ${b}, and multiply ${a} by ${b}.`,
      tools: [add, multiply, weather],
      calls: [
        { name: add.name, arguments: { a, b } },
        { name: multiply.name, arguments: { a, b } },
      ],
    }
  },
  'the same twice over': (dice) => {
    const [two, subject] = [dice.several(people, 2), `The ${dice.pick(words)}`]
    return {
      says: `Send two emails at once, to ${two.map((name) => `${name}@example.com`).join(' and to ')}, both with the subject "${subject}" and exactly the text: See you there.`,
      tools: [mail, timer],
      calls: two.map((name) => ({
        name: mail.name,
        arguments: { to: `${name}@example.com`, subject, body: 'See you there.' },
      })),
    }
  },
})

const abstain = define('no call', {
  'small talk': () => ({ says: 'Hello! How are you today?', tools: everyday }),
  knowledge: () => ({
    says: 'What is the capital of France? You know this without any tool.',
    tools: everyday,
    words: 'paris',
  }),
  'told not to': (dice) => ({
    says: `Don't use any tool. In one sentence, what could I need a timer for ${dice.whole(3, 12)} minutes for?`,
    tools: everyday,
  }),
  'nothing that fits': (dice) => ({
    says: `Write a two line poem about a ${dice.pick(words)}.`,
    tools: [add, multiply],
  }),
  thanks: () => ({ says: 'Thank you, that was all I needed. Goodbye!', tools: coding }),
  'how it would be done': () => ({
    says: 'Just explain in one sentence what the tool get_weather is for. Do not call it.',
    tools: everyday,
    words: 'weather',
  }),
  'something is missing': () => ({
    says: 'I would like to send an email. First ask me to whom, then we go on.',
    tools: [mail, timer],
  }),
  'another tool would be needed': (dice) => ({
    says: `What will the weather be like in ${dice.pick(cities)} tomorrow? If none of your tools can tell, say so.`,
    tools: [mail, timer],
  }),
  'a translation': () => ({ says: 'How do you say "good morning" in French?', tools: everyday, words: 'bonjour' }),
  'what an abbreviation means': () => ({ says: 'What does HTTP stand for?', tools: coding, words: 'hypertext' }),
  'a sum without a tool for it': (dice) => {
    const [a, b] = [dice.whole(2, 9), dice.whole(11, 19)]
    return { says: `What is ${a} plus ${b}?`, tools: [weather, timer], words: String(a + b) }
  },
  'what an expression comes to': (dice) => {
    const limit = dice.whole(3, 9)
    return {
      says: `What is the length of the Python list [x * x for x in range(${limit})]? Just tell me, nothing needs to be run.`,
      tools: coding,
      words: String(limit),
    }
  },
  'a suggestion': (dice) => ({ says: `Suggest a name for a ${dice.pick(words)} coloured cat.`, tools: everyday }),
  'which tools there are': () => ({
    says: 'Which tools do you have? Only name them, and use none.',
    tools: everyday,
    words: 'timer',
  }),
  'what was said before': (dice) => {
    const [city, degrees] = [dice.pick(cities), dice.whole(11, 39)]
    return {
      before: [
        { role: 'user', content: `What is the weather in ${city}?` },
        ...called(weather.name, { city }, `${degrees} degrees`),
        { role: 'assistant', content: `It is ${degrees} degrees in ${city}.` },
      ],
      says: 'Thank you. How many degrees did you say?',
      tools: everyday,
      words: String(degrees),
    }
  },
})

/** A call of the assistant and what came of it. */
function called(name: string, given: JsonObject, result: string, id = 'call_before_0'): readonly Message[] {
  return exchange({ id, name, arguments: given, result })
}

const stock = tool('find_article', 'Find an article by its name.', { name: text('Name of the article') })
const price = tool('get_price', 'Get the price of an article.', {
  article_id: text('Id of the article, from find_article'),
})

const results = define('results', {
  'answer in words': (dice) => {
    const [city, degrees] = [dice.pick(cities), dice.whole(11, 39)]
    return {
      says: `What is the weather in ${city}?`,
      tools: everyday,
      words: String(degrees),
      after: called(weather.name, { city }, `${degrees} degrees, light rain`),
    }
  },
  'the next step': (dice) => {
    const [name, id] = [dice.pick(words), `art-${dice.whole(1_000, 9_999)}`]
    return {
      says: `What does a ${name} cost?`,
      tools: [stock, price],
      after: called(stock.name, { name }, `{"id": "${id}", "name": "${name}"}`),
      calls: [{ name: price.name, arguments: { article_id: id } }],
    }
  },
  'the end of a chain': (dice) => {
    const [name, id, cost] = [dice.pick(words), `art-${dice.whole(1_000, 9_999)}`, dice.whole(11, 99)]
    return {
      says: `What does a ${name} cost?`,
      tools: [stock, price],
      words: String(cost),
      after: [
        ...called(stock.name, { name }, `{"id": "${id}"}`),
        ...called(price.name, { article_id: id }, `${cost} euros`, 'call_before_2'),
      ],
    }
  },
  'pick from a list': (dice) => {
    const [three, index] = [dice.several(files, 3), dice.whole(0, 2)]
    return {
      says: `List the files in the folder ".", then read the ${['first', 'second', 'third'][index]} one of the list.`,
      tools: coding,
      after: called('list_files', { path: '.' }, three.join('\n')),
      calls: [{ name: readFile.name, arguments: { path: three[index] ?? '' } }],
    }
  },
  'a later question': (dice) => {
    const [first, second] = dice.several(cities, 2)
    return {
      before: [
        { role: 'user', content: `What is the weather in ${first}?` },
        ...called(weather.name, { city: first ?? '' }, '21 degrees'),
        { role: 'assistant', content: `It is 21 degrees in ${first}.` },
      ],
      says: `And in ${second}?`,
      tools: everyday,
      calls: [{ name: weather.name, arguments: { city: second ?? '' } }],
    }
  },
  'two results': (dice) => {
    const [[first, second], [one, other]] = [dice.several(cities, 2), dice.several([14, 17, 23, 26, 31, 35], 2)]
    return {
      says: `What is the weather in ${first} and in ${second}? Give me both temperatures.`,
      tools: everyday,
      words: String(other),
      after: exchange(
        { name: weather.name, arguments: { city: first ?? '' }, result: `${one} degrees` },
        { name: weather.name, arguments: { city: second ?? '' }, result: `${other} degrees` },
      ),
    }
  },
})

const stage = tool('deploy', 'Deploy a build.', {
  build: text('Number of the build'),
  stage: oneOf(['staging', 'production'], 'Where to'),
})

const recovery = define('recovery', {
  'a wrong name': (dice) => {
    const city = dice.pick(cities)
    const wrong = `${city.slice(0, 2)}${city}`
    return {
      says: `What is the weather in ${wrong}?`,
      tools: everyday,
      after: called(
        weather.name,
        { city: wrong },
        `Error: there is no city "${wrong}". Did you mean "${city}"? Call the tool again with the right name.`,
      ),
      calls: [{ name: weather.name, arguments: { city } }],
    }
  },
  'a value that is not allowed': (dice) => {
    const build = String(dice.whole(100, 999))
    return {
      says: `Deploy build ${build} to prod.`,
      tools: [stage, timer],
      after: called(
        stage.name,
        { build, stage: 'prod' },
        'Error: "stage" must be one of "staging", "production". Try again.',
      ),
      calls: [{ name: stage.name, arguments: { build, stage: 'production' } }],
    }
  },
  'a file that is elsewhere': (dice) => {
    const name = dice.pick(words)
    return {
      says: `Show me the file ${name}.txt.`,
      tools: coding,
      after: called(
        readFile.name,
        { path: `${name}.txt` },
        `Error: no such file. It was moved to archive/${name}.txt. Read it there.`,
      ),
      calls: [{ name: readFile.name, arguments: { path: `archive/${name}.txt` } }],
    }
  },
  'an argument that was missing': (dice) => {
    const minutes = dice.whole(2, 55)
    return {
      says: `Set a timer for ${minutes} minutes with the label "bread".`,
      tools: everyday,
      after: called(
        timer.name,
        { minutes },
        'Error: the argument "label" is missing. Call the tool again with all arguments.',
      ),
      calls: [{ name: timer.name, arguments: { minutes, label: 'bread' } }],
    }
  },
  'another tool': (dice) => {
    const path = dice.pick(files)
    return {
      says: `Show me what is in ${path}.`,
      tools: [readFile, runCommand],
      after: called(
        readFile.name,
        { path },
        `Error: read_file is switched off. Use run_command with exactly: cat ${path}`,
      ),
      calls: [{ name: runCommand.name, arguments: { command: `cat ${path}` } }],
    }
  },
})

export const ofConversations = [...parallel, ...abstain, ...results, ...recovery]
