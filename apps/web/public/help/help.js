// Before the first paint: the theme of the last visit. The language is that of the page.
try {
  const theme = localStorage.getItem("metrum.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Without storage the theme is that of the system.
}
