export interface TextPart {
  readonly text: string;
  readonly isRed: boolean;
}

/** Splits "a [red]b[/red] c". An unpaired marker is shown literally, so that no text is lost. */
export function parseRed(message: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  for (const found of message.matchAll(/\[red\](.*?)\[\/red\]/gs)) {
    if (found.index > at) parts.push({ text: message.slice(at, found.index), isRed: false });
    parts.push({ text: found[1] ?? "", isRed: true });
    at = found.index + found[0].length;
  }
  if (at < message.length) parts.push({ text: message.slice(at), isRed: false });
  return parts;
}
