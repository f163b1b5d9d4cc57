/** Whether a text ends inside a value: in a string, a list or an element that was opened and never closed. */
export function isCutOff(text: string): boolean {
  const unescaped = text.replace(/\\./g, '')
  const inString = unescaped.split('"').length % 2 === 0 && !/[\]})]/.test(unescaped.slice(unescaped.lastIndexOf('"')))
  const inList = !/[\]})>]\s*$/.test(text) && depthOf(unescaped.replace(/"[^"]*"/g, '')) > 0
  return inString || inList || openElement.test(text)
}

/** Half a tag; one with an attribute and nothing after it; any with words after it. Control tokens (`<|…|>`, `<｜…｜>`) are none. */
const openElement = /<[\w｜:](?:[^<>]*|[^<>|]*=[^<>|]*>\s*|[^<>|]*(?<![｜/])>[^<>]*[^<>\]})\s]\s*)$/

function depthOf(text: string): number {
  return (text.match(/[[{(]/g)?.length ?? 0) - (text.match(/[\]})]/g)?.length ?? 0)
}
