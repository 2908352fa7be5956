import { useTranslation } from "react-i18next";
import { currentLanguage, languageNames, languages, storeLanguage } from "#lib/i18n";

/** A choice loads the page anew, so that what the server says is in the language too. */
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
