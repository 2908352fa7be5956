import { useState } from "react";
import { flagOf, type Country } from "./countries.ts";

/** Windows and bare Linux have no flags: there the two characters are shown. */
function hasFlags(): boolean {
  const context = document.createElement("canvas").getContext("2d");
  if (context === null) return false;
  const widthOf = (text: string) => context.measureText(text).width;
  return widthOf("\u{1F1F2}\u{1F1F3}") < 1.5 * widthOf("\u{1F1F2}");
}

/** The flag of a country; its letters where the system has none. */
export function Flag({ country }: { readonly country: Country }) {
  const [isDrawn] = useState(hasFlags);
  return (
    <span aria-hidden="true" className="phone-flag">
      {isDrawn ? flagOf(country) : country.countryCode}
    </span>
  );
}
