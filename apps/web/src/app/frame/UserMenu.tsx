import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { lazily } from "#lib/load";
import { useSession } from "#lib/session";
import { Icon } from "#ui/icon";
import { Popover } from "#ui/menu";
import { Boundary } from "#ui/states";

const Pages = lazily(async () => ({ default: (await import("../UserPages.tsx")).UserPages }));

/** Initials of the first two words of a name. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  return words
    .slice(0, 2)
    .map((each) => String.fromCodePoint(each.codePointAt(0) ?? 0).toLocaleUpperCase())
    .join("");
}

export function UserMenu() {
  const { t } = useTranslation("shell");
  const { user } = useSession();
  return (
    <Popover
      label={t("user.menu")}
      align="end"
      className="user-menu"
      trigger={(props) => (
        <button
          {...props}
          type="button"
          className="shell-user"
          aria-label={`${t("user.menu")}: ${user.name}`}
        >
          <span aria-hidden="true" data-initials={initialsOf(user.name)} />
          <Icon name="chevronDown" size={12} />
        </button>
      )}
    >
      {(close) => (
        <Boundary>
          <Suspense fallback={null}>
            <Pages close={close} />
          </Suspense>
        </Boundary>
      )}
    </Popover>
  );
}
