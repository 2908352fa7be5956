export { changeLanguage, currentLanguage, loadTexts, startI18n } from "./i18n.ts";
export {
  languageNames,
  languageOf,
  languages,
  storedLanguage,
  storeLanguage,
  type Language,
} from "./language.ts";
