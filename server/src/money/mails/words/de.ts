import type { LanguageWords } from './words.ts'

export const GERMAN: LanguageWords = {
  locale: 'de-DE',
  per: { DAY: 'pro Tag', WEEK: 'pro Woche', MONTH: 'pro Monat', YEAR: 'pro Jahr' },
  every: { DAY: 'alle # Tage', WEEK: 'alle # Wochen', MONTH: 'alle # Monate', YEAR: 'alle # Jahre' },
  footer: business => `Sie erhalten diese E-Mail, weil ${business} diese App abonniert hat.`,
  links: { supportUrl: 'Hilfe', termsUrl: 'AGB', privacyUrl: 'Datenschutz', imprintUrl: 'Impressum' },
  settings: 'Sprache und E-Mails ändern',
  mails: {
    RECEIPT: ({ app, plan, money, number, card }) => ({
      subject: `Zahlungsbeleg für ${app}: ${money}`,
      sentences: [
        `Sie haben ${money} für ${plan} von ${app}${card && ` mit ${card}`} bezahlt.`,
        `Rechnungsnummer: ${number}.`,
      ],
      button: 'Rechnung öffnen',
    }),
    PAYMENT_FAILED: ({ app, plan, money, retryDay, deadline }) => ({
      subject: `Zahlung für ${app} fehlgeschlagen`,
      sentences: [
        `Der Betrag von ${money} für ${plan} von ${app} konnte nicht abgebucht werden.`,
        ...(retryDay ? [`Wir versuchen es am ${retryDay} erneut.`] : []),
        ...(deadline ? [`Wird die Rechnung nicht bis zum ${deadline} bezahlt, endet das Abonnement.`] : []),
      ],
      button: `${money} jetzt bezahlen`,
    }),
    BANK_CONFIRMATION: ({ app, money }) => ({
      subject: `Bestätigen Sie Ihre Zahlung für ${app}`,
      sentences: [
        `Ihre Bank benötigt Ihre Bestätigung für eine Zahlung von ${money}.`,
        'Bis dahin ist die Zahlung nicht abgeschlossen.',
      ],
      button: 'Zahlung bestätigen',
    }),
    TRIAL_ENDING: ({ app, plan, day, price }) => ({
      subject: `Ihre Testphase von ${app} endet am ${day}`,
      sentences: [
        `${plan} ist bis zum ${day} kostenlos. Danach kostet der Plan ${price}.`,
        'Kündigen Sie vorher, wenn Sie nichts bezahlen möchten.',
      ],
      button: 'Abonnement öffnen',
    }),
    CARD_EXPIRING: ({ card, day }) => ({
      subject: 'Ihre Karte läuft bald ab',
      sentences: [
        `Ihre Abonnements werden mit ${card} bezahlt. Diese Karte läuft am ${day} ab.`,
        'Hinterlegen Sie Ihre neue Karte, damit keine Zahlung fehlschlägt.',
      ],
      button: 'Karte hinzufügen',
    }),
    CANCELLED: ({ app, plan, day }) => ({
      subject: `Sie haben ${app} gekündigt`,
      sentences: [
        `Sie können ${plan} von ${app} bis zum ${day} nutzen. Es wird nichts mehr abgebucht.`,
        'Bis dahin können Sie die Kündigung zurücknehmen.',
      ],
      button: 'Abonnement öffnen',
    }),
    ENDED: ({ app, plan, reason }) => ({
      subject: `Ihr Abonnement von ${app} ist beendet`,
      sentences: [
        `${plan} von ${app} ist beendet.`,
        {
          CANCELLED: 'Sie haben das Abonnement gekündigt. Es wird nichts mehr abgebucht.',
          DISPUTED: 'Ihre Bank hat eine Zahlung zurückgeholt. Es wird nichts mehr abgebucht.',
          NON_PAYMENT: 'Die Rechnung wurde nicht rechtzeitig bezahlt.',
          OPERATOR: 'Die Plattform hat das Abonnement beendet. Es wird nichts mehr abgebucht.',
        }[reason],
      ],
      button: 'Abonnement öffnen',
    }),
    RESTORED: ({ app, plan, day, price }) => ({
      subject: `Ihr Abonnement von ${app} läuft weiter`,
      sentences: [
        `Die Kündigung von ${plan} wurde zurückgenommen.`,
        `Der nächste Zeitraum beginnt am ${day} und kostet ${price}.`,
      ],
      button: 'Abonnement öffnen',
    }),
    PLAN_CHANGED: ({ app, plan, price }) => ({
      subject: `Ihr Plan für ${app} hat sich geändert`,
      sentences: [`Ihr Plan ist jetzt ${plan}. Er kostet ${price}.`],
      button: 'Abonnement öffnen',
    }),
    REFUND: ({ app, money, number }) => ({
      subject: `Erstattung von ${money} für ${app}`,
      sentences: [
        `Wir haben ${money} aus der Rechnung ${number} erstattet.`,
        'Bis der Betrag auf Ihrem Konto erscheint, kann es einige Tage dauern.',
      ],
      button: 'Rechnung öffnen',
    }),
    RENEWAL_AHEAD: ({ app, plan, day, price }) => ({
      subject: `${app} verlängert sich am ${day}`,
      sentences: [
        `${plan} von ${app} verlängert sich am ${day} und kostet ${price}.`,
        'Kündigen Sie vorher, wenn Sie nicht verlängern möchten.',
      ],
      button: 'Abonnement öffnen',
    }),
  },
}
