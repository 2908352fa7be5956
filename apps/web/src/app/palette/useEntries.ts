import { polling } from "@metrum/contract/headend";
import { useTranslation } from "react-i18next";
import { queryClient, send } from "#lib/call";
import { changeLanguage, currentLanguage, languageNames, languages } from "#lib/i18n";
import { menuOf, saveSettings, useAllowed, useSession } from "#lib/session";
import { setTheme, storedTheme, themes } from "#lib/theme";
import { snack } from "#ui/snackbar";
import { iconPaths, type IconName } from "#ui/icon";
import { isOpenTo } from "../screenGuards.ts";
import { menuScreenOf, screens } from "../screens.ts";
import { recentEntries } from "./recent.ts";
import { inGroups, matchingEntries, type Entry } from "./results.ts";
import { useFound } from "./useFound.ts";

const themeIcons = { system: "monitor", light: "sun", dark: "moon" } as const;

/** Matching entries: from memory at once, from the server as soon as it answers. */
export function useEntries(search: string, pathname: string) {
  const own = [...useRecent(), ...useCommands(pathname), ...useScreens()];
  const found = useFound(search.trim());
  return {
    entries: inGroups([...matchingEntries(own, search), ...found.entries]),
    isAsking: found.isAsking,
    hasFailed: found.hasFailed,
  };
}

function useRecent(): readonly Entry[] {
  return recentEntries().map(({ icon, text, ...each }) => ({
    ...each,
    group: "recent",
    icon: isIcon(icon) ? icon : "clock",
    ...(text === undefined ? {} : { text }),
  }));
}

const isIcon = (name: string): name is IconName => name in iconPaths;

function useScreens(): readonly Entry[] {
  const { t } = useTranslation("shell");
  const session = useSession();
  const { access, company } = session;
  const entry = (slug: string, icon: IconName, path: string): Entry => ({
    id: slug,
    group: "screens",
    title: t(`menu.${slug}`),
    icon,
    href: `#/cloud/${path.replace("/{-$section}", "")}`,
  });
  return [
    ...menuOf(access, company.is_dealer).flatMap(({ slug }) => {
      const screen = menuScreenOf(slug);
      return screen?.component === undefined ? [] : [entry(slug, screen.menu.icon, slug)];
    }),
    ...screens.flatMap(({ path, right, palette }) =>
      palette !== undefined && isOpenTo(access, { right }) && (palette.isShown?.(session) ?? true)
        ? [entry(palette.slug, palette.icon, path)]
        : [],
    ),
  ];
}

function useCommands(pathname: string): readonly Entry[] {
  const { t } = useTranslation("shell");
  const mayPoll = useAllowed(polling.run.right ?? null);
  const device = Number(/^\/cloud\/devices\/data\/(\d+)/.exec(pathname)?.[1] ?? NaN);
  const poll = () =>
    void send(polling.run, { body: { device_id: device, run: true } }).then(
      () => snack(t("palette.polled")),
      () => undefined,
    );
  const command = (id: string, title: string, icon: IconName, run: () => void): Entry => ({
    id,
    group: "commands",
    title,
    icon,
    run,
  });
  return [
    ...(mayPoll && Number.isInteger(device) ? [command("poll", t("palette.poll"), "refresh", poll)] : []),
    ...themes
      .filter((each) => each !== storedTheme())
      .map((each) =>
        command(`theme.${each}`, t("palette.theme", { theme: t(`user.${each}`) }), themeIcons[each], () => {
          setTheme(each);
          saveSettings({ theme: each });
        }),
      ),
    ...languages
      .filter((each) => each !== currentLanguage())
      .map((each) =>
        command(`language.${each}`, t("palette.language", { language: languageNames[each] }), "globe", () => {
          void changeLanguage(each).then(() => queryClient.invalidateQueries());
        }),
      ),
    command("signOut", t("user.signOut"), "signOut", () => {
      location.hash = "#/auth/logout";
    }),
  ];
}
