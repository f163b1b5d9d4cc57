/**
 * What its maker may change and others only read. Objects that are made for every answer tell their state so, and not by a
 * getter in an object literal: that makes a hidden class of its own for each of them, which costs ten times as much and
 * keeps everything the getter sees alive until the next full collection (`docs/decisions/0024-speed.md`).
 */
export type Writable<T> = { -readonly [Key in keyof T]: T[Key] }
