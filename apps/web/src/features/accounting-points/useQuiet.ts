import { useEffect, useState } from "react";

const quietMs = 400;

/** A value once it has not changed for a moment, so that a call is not asked at every key. Compared as JSON. */
export function useQuiet<Value>(value: Value): { readonly value: Value; readonly isOld: boolean } {
  const text = JSON.stringify(value);
  const [asked, setAsked] = useState({ text, value });
  useEffect(() => {
    if (text === asked.text) return undefined;
    const timer = setTimeout(() => setAsked({ text, value: JSON.parse(text) as Value }), quietMs);
    return () => clearTimeout(timer);
  }, [text, asked.text]);
  return { value: asked.value, isOld: asked.text !== text };
}
