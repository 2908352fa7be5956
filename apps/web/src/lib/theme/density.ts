export const densities = ["compact", "normal", "comfortable"] as const;
export type Density = (typeof densities)[number];

const key = "metrum.density";

export function isDensity(value: unknown): value is Density {
  return densities.some((each) => each === value);
}

export function storedDensity(): Density {
  const stored = localStorage.getItem(key);
  return isDensity(stored) ? stored : "normal";
}

/**
 * Stored in this browser as well, so that public/theme.js can apply it before the first paint. Normal depends
 * on the pointer.
 */
export function setDensity(density: Density): void {
  if (density === "normal") {
    localStorage.removeItem(key);
    delete document.documentElement.dataset["density"];
  } else {
    localStorage.setItem(key, density);
    document.documentElement.dataset["density"] = density;
  }
}
