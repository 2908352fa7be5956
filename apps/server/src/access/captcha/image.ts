import { randomInt } from "node:crypto";
import svgCaptcha from "svg-captcha";

/** Letters and digits that are not taken for each other; case does not matter. */
const signs = "ACDEFHJKLMNPRTUVWXY34679";
const length = 5;

const look = { noise: 3, width: 196, height: 56, fontSize: 56 };

/** A picture of five signs as a data URL, dark on nothing, and what it shows. */
export function drawCaptcha(): { readonly image: string; readonly text: string } {
  // The library would draw lots with Math.random, whose next numbers can be reckoned from those before.
  const text = Array.from({ length }, () => signs[randomInt(signs.length)]).join("");
  const drawn = Buffer.from(draw(text)).toString("base64");
  return { image: `data:image/svg+xml;base64,${drawn}`, text };
}

/** The library itself is the function that draws a given text, which its types do not say. */
function draw(text: string): string {
  const library: unknown = svgCaptcha;
  if (!isDrawing(library)) throw new Error("svg-captcha draws no given text any more");
  return library(text, look);
}

function isDrawing(value: unknown): value is (text: string, options: typeof look) => string {
  return typeof value === "function";
}
