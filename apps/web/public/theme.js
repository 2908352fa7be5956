// Before the first paint: theme and language of the last visit, and requests for files needed early. A file
// of its own, because the content security policy forbids inline scripts.
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

  // The build inserts the names of files here; in development there are none, and all is requested later.
  const names = document.currentScript.dataset;
  const preload = (href, as, type) => {
    const link = document.createElement("link");
    link.rel = as === "script" ? "modulepreload" : "preload";
    link.as = as;
    if (type !== undefined) link.type = type;
    link.crossOrigin = "anonymous";
    link.href = href;
    document.head.append(link);
  };
  const subsets = { en: ["latin"], ru: ["latin", "cyrillic"], mn: ["latin", "cyrillic", "mongolian"] }[
    language
  ];
  for (const subset of subsets) if (names[subset] !== undefined) preload(names[subset], "font", "font/woff2");
  if (names.texts === undefined) return;
  // Texts and, with a session, the frame of all its screens: otherwise each would wait for the one before.
  preload(`${names.texts}/${language}/common.json`, "fetch");
  if (read("metrum.token") === null || !location.hash.startsWith("#/cloud")) return;
  preload(`${names.texts}/${language}/shell.json`, "fetch");
  for (const file of names.frame.split(" ")) preload(`/${file}`, file.endsWith(".css") ? "style" : "script");
})();
