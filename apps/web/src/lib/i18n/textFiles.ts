import type { ResourceKey } from "i18next";

/** Folder of the texts in the built app, named by their content; inserted by the build (vite.config.ts). */
declare const TEXT_FOLDER: string;

/**
 * Texts of a feature in a language; one file each, fetched when a screen first needs it. Throws Error if
 * there is none.
 */
export const loadTextFile: (language: string, feature: string) => Promise<ResourceKey> = import.meta.env.PROD
  ? async (language, feature) => {
      const response = await fetch(`${TEXT_FOLDER}/${language}/${feature}.json`);
      if (!response.ok) throw new Error(`no texts: ${language}/${feature} (${String(response.status)})`);
      // Written by the build from src/locales, whose structure a test checks.
      return (await response.json()) as ResourceKey;
    }
  : async (language, feature) => {
      const files = import.meta.glob<ResourceKey>("../../locales/*/*.json", { import: "default" });
      const load = files[`../../locales/${language}/${feature}.json`];
      if (!load) throw new Error(`no texts: ${language}/${feature}`);
      return load();
    };
