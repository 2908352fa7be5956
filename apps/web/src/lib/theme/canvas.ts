import { useEffect, useState } from "react";
import { flushSync } from "react-dom";

/** Value of a colour token where the element stands, as the style sheet has it now. */
export function tokenOf(element: Element, name: string): string {
  return getComputedStyle(element).getPropertyValue(`--${name}`).trim();
}

/** A number that changes with the theme: canvases have to be painted again, they do not inherit. */
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
    // Paper has colours of its own, and printing does not wait for the next frame.
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
