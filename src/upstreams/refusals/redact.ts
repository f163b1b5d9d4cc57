/** What keys of the well-known services look like. Services echo them in refusals, sometimes half masked. */
const keyShapes = [
  /\bBearer\s+[^\s"',;]+/gi,
  /\b(?:sk|pk|rk|gsk|hf|xai|nvapi|fw|csk|r8|pplx|tgp|or)[-_][\w*.…-]{6,}/g,
  /\bAIza[\w-]{20,}/g,
  /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]+/g,
]

/** The text without secrets: the given ones wherever they stand, and whatever has the shape of a key. */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text
  for (const secret of secrets) {
    // Placeholders like "x" or "none" are no secrets, and removing them would eat the message.
    if (secret.length >= 6) clean = clean.replaceAll(secret, '[redacted]')
  }
  for (const shape of keyShapes) clean = clean.replace(shape, '[redacted]')
  return clean
}
