import { useTranslation } from "react-i18next";
import { currentLanguage, languageNames, languages, storeLanguage } from "#lib/i18n";

/** A choice reloads the page, so that messages of the server are in the language too. */
export function Languages() {
  const { t } = useTranslation("auth");
  const current = currentLanguage();
  return (
    <nav className="login-languages" aria-label={t("languages")}>
      {languages.map((each) => (
        <button
          key={each}
          type="button"
          lang={each}
          aria-pressed={each === current}
          onClick={() => {
            storeLanguage(each);
            location.reload();
          }}
        >
          {languageNames[each]}
        </button>
      ))}
    </nav>
  );
}
