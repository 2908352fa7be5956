import { dictionary } from "@zxcvbn-ts/language-common";

/** How many entries of the list are refused in every disguise; the rest only literally. */
const commonest = 10_000;

/**
 * Common passwords, in lower case, the most frequent first.
 * Source: `passwords` of @zxcvbn-ts/language-common (MIT), counted in published leaks.
 */
const listed: ReadonlySet<string> = new Set(dictionary.passwords);

/**
 * Words searched for in a password: the most frequent of the list, plus words of the platform's markets and
 * trade.
 */
const words: ReadonlySet<string> = new Set([
  ...dictionary.passwords.slice(0, commonest),
  ...`пароль привет йцукен админ администратор любовь наташа марина максим россия москва
  нууцүг нууц монгол улаанбаатар сайнуу mongol ulaanbaatar
  abc abcd administrator database login owner qwe qwer root sysadmin zxc zxcv`.split(/\s+/),
]);

/**
 * Whether this is a password that guessing starts with: an entry of the list in any case, or one of the
 * 10,000 most frequent disguised to satisfy the character classes ("P@ssw0rd1!", "Qwerty123!", "1qaz@WSX").
 * The disguises are needed because the list hardly contains passwords with symbols. A long password that
 * contains a common word among others is not refused.
 */
export function isCommonPassword(password: string): boolean {
  const small = password.toLowerCase();
  const bare = withoutEnds(small);
  return (
    listed.has(small) ||
    [
      pressedAlone(small),
      withoutSigns(small),
      bare,
      plainLetters(small),
      plainLetters(bare),
      withoutEnds(plainLetters(small)),
    ].some((each) => words.has(each) || words.has(halfOf(each))) ||
    isOneLetter(bare)
  );
}

/** Strips digits and symbols at both ends: "2024!summer#1" is "summer". */
function withoutEnds(text: string): string {
  return text.replace(/^[^\p{L}]+/u, "").replace(/[^\p{L}]+$/u, "");
}

/** Strips symbols at both ends: "!trustno1!" is "trustno1". */
function withoutSigns(text: string): string {
  return text.replace(/^[^\p{L}\d]+/u, "").replace(/[^\p{L}\d]+$/u, "");
}

const letterOfSign: Readonly<Record<string, string>> = {
  "@": "a",
  "4": "a",
  "3": "e",
  "1": "i",
  "!": "i",
  "0": "o",
  $: "s",
  "5": "s",
  "7": "t",
};

/** Reverts letter substitution: "p@$$w0rd" is "password". */
function plainLetters(text: string): string {
  return text.replaceAll(/[@4310!$57]/g, (sign) => letterOfSign[sign] ?? sign);
}

const digitKeys = ")!@#$%^&*(";

/** The keys without shift: "1qaz@wsx" is "1qaz2wsx". */
function pressedAlone(text: string): string {
  return text.replaceAll(/[!@#$%^&*()]/g, (sign) => String(digitKeys.indexOf(sign)));
}

/** The word of a doubled word, "adminadmin"; else the text unchanged. */
function halfOf(text: string): string {
  const half = text.slice(0, text.length / 2);
  return half + half === text ? half : text;
}

/** "Zz11111!" and "Aaaa1111!": a single repeated letter. */
function isOneLetter(bare: string): boolean {
  return /^(\p{L})\1*$/u.test(bare);
}
