import { type Ground, grounds } from './promises.ts'

export interface HandRead {
  readonly score: 'calls' | 'content'
  readonly ground: Ground
  readonly why: string
  /** `file:line@seal`: the seal is that of the row's text and of what we made of it, as `--failures` prints it. */
  readonly rows: string
}

/**
 * Rows that were read one by one: above all those in which we make a call the row does not have, which no rule may excuse. Once we
 * make something else of a row, its seal no longer fits, and it is a limit until it is read again.
 */
export const readByHand: readonly HandRead[] = [
  {
    score: 'calls',
    ground: grounds.schema,
    why: 'The arguments are complete and break the schema. The row refuses the call.',
    rows: `
      ai-sdk:41@b1d77b ai-sdk:42@b1d77b ai-sdk:61@f8f339 ai-sdk:64@50639c ai-sdk:65@50639c ai-sdk:81@7f0d67
      ai-sdk:86@283bf4 ai-sdk:90@fa4b18 ai-sdk:94@27c970 ai-sdk:96@6d4eaf ai-sdk:101@01be4e ai-sdk:104@7267bc
      ai-sdk:105@8659dd ai-sdk:109@c5a8f5 ai-sdk:113@2cd95b ai-sdk:402@9b41a8 vllm:354@c519bd vllm:356@593c36`,
  },
  {
    score: 'calls',
    ground: grounds.names,
    why: 'An argument is named `constructor`, `prototype` or `__proto__`. The row refuses the call.',
    rows: `
      ai-sdk:24@9b4977 ai-sdk:58@8f831c ai-sdk:59@f472c5 ai-sdk:60@42c745 ai-sdk:108@9b4977 ai-sdk:118@2bc978
      ai-sdk:119@b788c8 ai-sdk:132@ee5e55 ai-sdk:133@efed71 ai-sdk:134@880855 ai-sdk:167@0ff4ac
      ai-sdk:176@494087 ai-sdk:220@eff702 ai-sdk:285@6a4f88 ai-sdk:376@e0ae51 ai-sdk:379@5abc4c
      ai-sdk:394@8cadd9`,
  },
  {
    score: 'calls',
    ground: grounds.types,
    why: 'A declared string holds markup. The row refuses the call.',
    rows: `
      ai-sdk:135@c6c2c9 ai-sdk:136@d62326`,
  },
  {
    score: 'calls',
    ground: grounds.quotes,
    why: 'One reading of the quotes fits. The row does not look for it.',
    rows: `
      ai-sdk:49@55a1a1 ai-sdk:50@f7272d ai-sdk:54@20b255 ai-sdk:55@8fd511 ai-sdk:56@a7e555`,
  },
  {
    score: 'calls',
    ground: grounds.malformed,
    why: 'The call is damaged and can be read: a closer, a brace or a wrapper is missing, wrong or doubled, the JSON is relaxed or quoted. The row refuses it.',
    rows: `
      ai-sdk:51@145001 ai-sdk:196@0c4c0e ai-sdk:197@512d2f ai-sdk:199@ec0a25 ai-sdk:204@3971f2 ai-sdk:269@975339
      ai-sdk:270@bbbcf6 ai-sdk:271@09611a ai-sdk:274@9e0be5 ai-sdk:341@0ed429 ai-sdk:404@b00177
      dynamo-rust:4@034223 dynamo-rust:5@ae78f3 dynamo-rust:6@604560 dynamo-rust:7@da44ee dynamo-rust:91@dde891
      dynamo-rust:92@741756 dynamo-rust:105@8f8431 dynamo:27@3af483 dynamo:79@9f586c dynamo:81@5f1bc9
      dynamo:180@5f016e dynamo:181@dde891 dynamo:224@c0067a dynamo:332@b8f02c sglang:155@1466a6 vllm:223@211bd8
      vllm:233@963e7f vllm:349@1466a6 vllm:410@76ce15 vllm:411@76ce15 vllm:419@0de632`,
  },
  {
    score: 'calls',
    ground: grounds.malformed,
    why: 'The arguments cannot be read, or only tolerantly. The row passes on the raw text, or takes a tag for a part of a value.',
    rows: `
      dynamo-rust:12@a9a25f dynamo-rust:21@02d56d dynamo-rust:86@ea021c dynamo-rust:102@bbe0ff`,
  },
  {
    score: 'calls',
    ground: grounds.silent,
    why: 'The arguments stand under another key. The row makes `{}` of them.',
    rows: `
      ai-sdk:11@1ce3ed`,
  },
  {
    score: 'calls',
    ground: grounds.parallel,
    why: 'The row gives up calls that are complete: for another beside them that is not, for text between them, or for a failure it stages.',
    rows: `
      ai-sdk:198@c6276e dynamo:164@61f6fd dynamo:220@ed92b7 dynamo:250@f61f2d dynamo:261@0d9323 sglang:27@344e1b
      sglang:219@e8c305 sglang:240@734a95 sglang:249@f983a4`,
  },
  {
    score: 'calls',
    ground: grounds.unknown,
    why: 'The tool is not declared, and the marks are unmistakable. The row drops the call, or renames it.',
    rows: `
      ai-sdk:194@49a66d ai-sdk:401@6ffab8 dynamo-rust:62@208ccc sglang:73@765ecd sglang:83@a97169
      sglang:99@a5451d sglang:127@602f62 sglang:133@975ca4 sglang:149@97181f sglang:211@b51c56 vllm:52@4fa703
      vllm:53@e642c0 vllm:170@0dddcb vllm:343@97181f vllm:358@ac04a7 vllm:359@d183fc vllm:360@92a721`,
  },
  {
    score: 'calls',
    ground: grounds.enough,
    why: 'The answer ends after complete arguments and before the closer. The row drops the call.',
    rows: `
      ai-sdk:453@48e457 dynamo-rust:23@cbe6a8 dynamo-rust:26@ee22f1 dynamo-rust:30@fbba21 dynamo:5@4d2277
      dynamo:29@1eb7de dynamo:101@d530ef dynamo:117@cbe6a8 dynamo:132@29975d dynamo:133@29975d dynamo:184@aa6863
      dynamo:204@a434aa dynamo:303@9c683d dynamo:305@eb0273 dynamo:306@a44817 dynamo:322@9c683d
      dynamo:329@c85534 dynamo:348@212502 dynamo:351@cfb986 dynamo:365@212502 sglang:152@3ce023
      sglang:209@05efc8 vllm:239@85aafb vllm:346@3ce023`,
  },
  {
    score: 'calls',
    ground: grounds.enough,
    why: 'The call has no arguments, and its tool requires none. The row drops the call.',
    rows: `
      ai-sdk:66@31ea65 ai-sdk:67@af21a5 ai-sdk:69@31ea65 ai-sdk:70@af21a5 ai-sdk:79@6969d5 ai-sdk:442@3e1942
      dynamo-rust:2@bfdfb8 dynamo:86@7b43ed dynamo:139@7d6555 dynamo:157@ecee07 dynamo:190@1d825c
      dynamo:245@38df6e dynamo:272@9407b0 dynamo:308@a8a398 sglang:105@659a62`,
  },
  {
    score: 'calls',
    ground: grounds.enough,
    why: 'The call is in the marks of a sister dialect. The row leaves it as text.',
    rows: `
      vllm:164@5c1276`,
  },
  {
    score: 'calls',
    ground: grounds.values,
    why: 'The schema forbids a member: it is left out and noted. The row refuses the call.',
    rows: `
      ai-sdk:23@1bbfe7 ai-sdk:25@541681 ai-sdk:26@7b1e99 ai-sdk:27@0d28dd ai-sdk:29@d6d2cc ai-sdk:30@dc40a9
      ai-sdk:36@dcc051 ai-sdk:195@8e9718 ai-sdk:206@5d7bf7 ai-sdk:248@15235e ai-sdk:249@a2a6c7 ai-sdk:250@831b71
      ai-sdk:251@c2640a ai-sdk:403@5bb506`,
  },
  {
    score: 'calls',
    ground: grounds.values,
    why: 'A parameter is written twice: the last counts. The row refuses the call.',
    rows: `
      ai-sdk:155@79c31a ai-sdk:162@ec09cd ai-sdk:164@c230f3 ai-sdk:378@b11065 ai-sdk:383@9e0665
      ai-sdk:384@85f91d ai-sdk:385@e18b8a ai-sdk:386@de6bf5 sglang:154@79361e vllm:348@79361e`,
  },
  {
    score: 'calls',
    ground: grounds.values,
    why: 'A member the schema does not list is kept, with an element inside that is named like another parameter. The row refuses the call.',
    rows: `
      ai-sdk:161@126642`,
  },
  {
    score: 'calls',
    ground: grounds.values,
    why: 'A number of four hundred digits is a number. The row refuses the call.',
    rows: `
      ai-sdk:95@ce17f9`,
  },
  {
    score: 'content',
    ground: grounds.promptThoughts,
    why: 'The row takes the words for a thought that the prompt opened.',
    rows: `
      vllm:8@8eb18c vllm:9@8bc5cb vllm:56@4b5e09`,
  },
]
