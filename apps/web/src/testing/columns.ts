/** Numbers as they are shown in English: "1 234.500", "−3.1", "+12.520"; a unit or percent sign may follow. */
const shown = /^[−+]?\d{1,3}(?:\u00A0\d{3})*(?:\.(\d+))?(?:\s?\D*)$/;

/** Columns of the drawn tables whose numbers differ in their decimals, by their heading. */
export function unevenColumns(): string[] {
  return [...document.querySelectorAll("table")].flatMap((table) => {
    const rows = [...table.querySelectorAll("tbody tr")].map((row) => [...row.children]);
    const headings = [...table.querySelectorAll("thead th")].map((each) => each.textContent);
    return headings.flatMap((heading, at) => {
      const decimals = new Set(
        rows.flatMap((cells) => {
          const found = shown.exec(cells[at]?.textContent.trim() ?? "");
          return found ? [found[1]?.length ?? 0] : [];
        }),
      );
      return decimals.size > 1 ? [`${heading}: ${[...decimals].join(" and ")} decimals`] : [];
    });
  });
}
