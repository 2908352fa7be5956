import svgCaptcha from "svg-captcha";

/** Letters and digits that are not taken for each other. */
const signs = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/** A picture of five signs as a data URL, and what it shows. Black on white: it is read in a dark theme too. */
export function drawCaptcha(): { readonly image: string; readonly text: string } {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- the library means an object
  const { data, text } = svgCaptcha.create({
    size: 5,
    charPreset: signs,
    noise: 3,
    width: 220,
    height: 72,
    fontSize: 64,
    background: "#ffffff",
  });
  return { image: `data:image/svg+xml;base64,${Buffer.from(data).toString("base64")}`, text };
}
