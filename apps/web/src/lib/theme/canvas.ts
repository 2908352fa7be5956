import { useEffect, useState } from "react";
import { flushSync } from "react-dom";

/** Value of a colour token for the element, from the present style sheet. */
export function tokenOf(element: Element, name: string): string {
  return getComputedStyle(element).getPropertyValue(`--${name}`).trim();
}

/** A number that changes with the theme: canvases must be repainted, they do not inherit. */
export function useThemeVersion(): number {
  const [version, setVersion] = useState(0);
  useEffect(() => {
    const change = () => setVersion((before) => before + 1);
    const observer = new MutationObserver(change);
    observer.observe(document.documentElement, {
      attributes: true,
      attributeFilter: ["data-theme", "class", "style"],
    });
    const system = matchMedia("(prefers-color-scheme: dark)");
    system.addEventListener("change", change);
    // Print has its own colours, and does not wait for the next frame.
    const paper = matchMedia("print");
    const changeNow = () => flushSync(change);
    paper.addEventListener("change", changeNow);
    return () => {
      observer.disconnect();
      system.removeEventListener("change", change);
      paper.removeEventListener("change", changeNow);
    };
  }, []);
  return version;
}
