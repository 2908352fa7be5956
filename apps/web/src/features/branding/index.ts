import { lazily } from "#lib/load";

import { loadTexts } from "#lib/i18n";

/** White-label branding of a company as a section of settings; loads its texts. */
export const BrandingSection = lazily(async () => {
  const [{ BrandingEditor }] = await Promise.all([
    import("./BrandingEditor.tsx"),
    loadTexts("branding", "settings"),
  ]);
  return { default: BrandingEditor };
});
