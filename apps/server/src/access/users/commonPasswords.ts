import { dictionary } from "@zxcvbn-ts/language-common";

/** How many of the list are refused however they are dressed up; the rest only as they stand there. */
const commonest = 10_000;

/**
 * Passwords that circulate, in small letters, the commonest first.
 * Source: `passwords` of @zxcvbn-ts/language-common (MIT), counted in published leaks.
 */
const listed: ReadonlySet<string> = new Set(dictionary.passwords);

/** Words to be found in a password: the commonest of the list, and what it lacks of our markets and of our trade. */
const words: ReadonlySet<string> = new Set([
  ...dictionary.passwords.slice(0, commonest),
  ...`пароль привет йцукен админ администратор любовь наташа марина максим россия москва
  нууцүг нууц монгол улаанбаатар сайнуу mongol ulaanbaatar
  abc abcd administrator database login owner qwe qwer root sysadmin zxc zxcv`.split(/\s+/),
]);

/**
 * Is this one of the passwords that guessing begins with? Whatever its letters are, small or capital, as it stands in the
 * list, or one of the 10,000 commonest dressed up to meet the rule of the classes ("P@ssw0rd1!", "Qwerty123!", "1qaz@WSX").
 * The rule needs this: the list hardly holds a password with a sign. A long password that holds a common word beside others
 * is not refused.
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

/** What stands between the digits and signs at both ends: "2024!summer#1" is "summer". */
function withoutEnds(text: string): string {
  return text.replace(/^[^\p{L}]+/u, "").replace(/[^\p{L}]+$/u, "");
}

/** What stands between the signs at both ends: "!trustno1!" is "trustno1". */
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

/** Undoes the dressing up: "p@$$w0rd" is "password". */
function plainLetters(text: string): string {
  return text.replaceAll(/[@4310!$57]/g, (sign) => letterOfSign[sign] ?? sign);
}

const digitKeys = ")!@#$%^&*(";

/** The keys without shift: "1qaz@wsx" is "1qaz2wsx". */
function pressedAlone(text: string): string {
  return text.replaceAll(/[!@#$%^&*()]/g, (sign) => String(digitKeys.indexOf(sign)));
}

/** The word that is written twice, "adminadmin"; else the text as it is. */
function halfOf(text: string): string {
  const half = text.slice(0, text.length / 2);
  return half + half === text ? half : text;
}

/** "Zz11111!" and "Aaaa1111!": one letter, however often. */
function isOneLetter(bare: string): boolean {
  return /^(\p{L})\1*$/u.test(bare);
}
