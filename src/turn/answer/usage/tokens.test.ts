import { readdirSync, readFileSync } from 'node:fs'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { countText } from './tokens.ts'

/** The first article of the Universal Declaration of Human Rights. */
const declaration = {
  english:
    'All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience and should act towards one another in a spirit of brotherhood.',
  german:
    'Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt und sollen einander im Geiste der Brüderlichkeit begegnen.',
  french:
    'Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de conscience et doivent agir les uns envers les autres dans un esprit de fraternité.',
  spanish:
    'Todos los seres humanos nacen libres e iguales en dignidad y derechos y, dotados como están de razón y conciencia, deben comportarse fraternalmente los unos con los otros.',
  polish:
    'Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Są oni obdarzeni rozumem i sumieniem i powinni postępować wobec innych w duchu braterstwa.',
  turkish:
    'Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana sahiptirler ve birbirlerine karşı kardeşlik zihniyeti ile hareket etmelidirler.',
  vietnamese:
    'Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền lợi. Mọi con người đều được tạo hóa ban cho lý trí và lương tâm và cần phải đối xử với nhau trong tình bằng hữu.',
  russian:
    'Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью и должны поступать в отношении друг друга в духе братства.',
  ukrainian:
    'Всі люди народжуються вільними і рівними у своїй гідності та правах. Вони наділені розумом і совістю і повинні діяти у відношенні один до одного в дусі братерства.',
  greek:
    'Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα. Είναι προικισμένοι με λογική και συνείδηση, και οφείλουν να συμπεριφέρονται μεταξύ τους με πνεύμα αδελφοσύνης.',
  hebrew:
    'כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון, לפיכך חובה עליהם לנהוג איש ברעהו ברוח של אחווה.',
  arabic:
    'يولد جميع الناس أحرارا متساوين في الكرامة والحقوق. وقد وهبوا عقلا وضميرا وعليهم أن يعامل بعضهم بعضا بروح الإخاء.',
  hindi:
    'सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है। उन्हें बुद्धि और अन्तरात्मा की देन प्राप्त है और परस्पर उन्हें भाईचारे के भाव से बर्ताव करना चाहिए।',
  thai: 'มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ต่างมีเหตุผลและมโนธรรม และควรปฏิบัติต่อกันด้วยเจตนารมณ์แห่งภราดรภาพ',
  japanese:
    'すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。人間は、理性と良心とを授けられており、互いに同胞の精神をもって行動しなければならない。',
  korean:
    '모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 부여받았으며 서로 형제애의 정신으로 행동하여야 한다.',
  chinese: '人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神互相对待。',
}

/** The tokenizer itself; marks of models are text to it. */
const exact = (text: string): number => countTokens(text, { disallowedSpecial: new Set() })

const offBy = (text: string): number => Math.abs(countText(text) - exact(text)) / exact(text)

const read = (folder: string, ending: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileSync(`${folder}/${name}`, 'utf8'))

test.each<[string, readonly string[], number, number]>([
  ['prose in English', [...read('.', 'README.md'), ...read('.', 'ARCHITECTURE.md'), ...read('docs', '.md')], 0.05, 0.1],
  ['code', read('src/turn', '.ts'), 0.05, 0.15],
  ['JSON', read('.', '.json'), 0.15, 0.2],
  ['calls in every dialect', read('test/goldens', '.golden'), 0.1, 0.3],
])('%s is estimated nearly right, each text and all together', (_, texts, together, each) => {
  const sum = (count: (text: string) => number) => texts.reduce((all, text) => all + count(text), 0)
  expect(texts.length).toBeGreaterThan(0)
  expect(Math.abs(sum(countText) / sum(exact) - 1)).toBeLessThan(together)
  expect(Math.max(...texts.map(offBy))).toBeLessThan(each)
})

test.each(Object.entries(declaration))('%s is estimated better than by the number of characters', (_, text) => {
  expect(offBy(text)).toBeLessThan(0.25)
})

test('all languages together are within a tenth', () => {
  expect(offBy(Object.values(declaration).join('\n'))).toBeLessThan(0.1)
})

test.each([
  ['', 0],
  ['hello world', 2],
  ['In the den.', 4],
  ['1234567', 3],
])('%j has %i tokens', (text, tokens) => {
  expect(countText(text)).toBe(tokens)
})

test.each(['a', 'A', 'aA', '日本語', ' ', '\n ', '\r', '-', '<|', '😀', 'é ', '{"', '\ud800', '0'])(
  'a megabyte of %j takes no time to speak of, and twice as much no more',
  (unit) => {
    const text = unit.repeat(1_000_000 / unit.length)
    countText('warm')
    const start = process.cpuUsage()
    const once = countText(text, text.length)
    const { user } = process.cpuUsage(start)
    expect(user / 1000).toBeLessThan(500)
    expect(countText(text)).toBeGreaterThan(0)
    expect(countText(text + text)).toBeGreaterThanOrEqual(Math.min(once, countText(text)))
  },
)
