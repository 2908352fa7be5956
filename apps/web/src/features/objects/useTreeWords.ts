import { useTranslation } from "react-i18next";

/** Words of the tree of the kit. */
export function useTreeWords() {
  const { t } = useTranslation("objects");
  return {
    open: t("tree.open"),
    check: (title: string) => t("tree.check", { title }),
    menu: (title: string) => t("tree.menu", { title }),
  };
}
