import { randomInt } from "node:crypto";
import svgCaptcha from "svg-captcha";

/** Letters and digits that are not mistaken for each other; case does not matter. */
const signs = "ACDEFHJKLMNPRTUVWXY34679";
const length = 5;

const style = { noise: 3, width: 196, height: 56, fontSize: 56 };

/** A picture of five characters as a data URL, dark on a transparent background, and its text. */
export function drawCaptcha(): { readonly image: string; readonly text: string } {
  // The library would use Math.random, whose next numbers can be predicted from earlier ones.
  const text = Array.from({ length }, () => signs[randomInt(signs.length)]).join("");
  const drawn = Buffer.from(draw(text)).toString("base64");
  return { image: `data:image/svg+xml;base64,${drawn}`, text };
}

/** The default export of the library draws a given text; its types do not declare that. */
function draw(text: string): string {
  const library: unknown = svgCaptcha;
  if (!isDrawing(library)) throw new Error("svg-captcha draws no given text any more");
  return library(text, style);
}

function isDrawing(value: unknown): value is (text: string, options: typeof style) => string {
  return typeof value === "function";
}
