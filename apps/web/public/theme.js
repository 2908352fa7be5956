// Before the first paint: theme and language of the last visit, and the fonts of that language. A separate
// file, because the content security policy forbids inline scripts.
(function () {
  const read = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const root = document.documentElement;
  const theme = read("metrum.theme");
  const isDark =
    theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  root.dataset.theme = isDark ? "dark" : "light";

  const density = read("metrum.density");
  if (density !== null) root.dataset.density = density;

  const stored = read("metrum.language");
  const language = stored === null ? "ru" : ["ru", "en", "mn"].includes(stored) ? stored : "en";
  root.lang = language;

  // Some systems report a locale that Intl rejects (en-US@posix), and the chart calls Intl as soon as it
  // loads.
  try {
    new Intl.NumberFormat(navigator.language);
  } catch {
    Object.defineProperty(navigator, "language", { value: "en-US" });
  }

  // The build inserts the font files here; in development there are none and the style sheet requests them.
  const fonts = document.currentScript.dataset;
  const subsets = { en: ["latin"], ru: ["latin", "cyrillic"], mn: ["latin", "cyrillic", "mongolian"] }[
    language
  ];
  for (const subset of subsets) {
    if (fonts[subset] === undefined) continue;
    const link = document.createElement("link");
    link.rel = "preload";
    link.as = "font";
    link.type = "font/woff2";
    link.crossOrigin = "anonymous";
    link.href = fonts[subset];
    document.head.append(link);
  }
})();
