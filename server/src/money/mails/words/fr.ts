import type { LanguageWords } from './words.ts'

export const FRENCH: LanguageWords = {
  locale: 'fr-FR',
  per: { DAY: 'par jour', WEEK: 'par semaine', MONTH: 'par mois', YEAR: 'par an' },
  every: { DAY: 'tous les # jours', WEEK: 'toutes les # semaines', MONTH: 'tous les # mois', YEAR: 'tous les # ans' },
  footer: business => `Vous recevez cet e-mail car ${business} est abonné à cette application.`,
  links: {
    supportUrl: 'Assistance',
    termsUrl: 'Conditions',
    privacyUrl: 'Confidentialité',
    imprintUrl: 'Mentions légales',
  },
  settings: 'Modifier la langue et les e-mails',
  mails: {
    RECEIPT: ({ app, plan, money, number, card }) => ({
      subject: `Reçu pour ${app} : ${money}`,
      sentences: [
        `Vous avez payé ${money} pour ${plan} de ${app}${card && ` avec ${card}`}.`,
        `Numéro de facture : ${number}.`,
      ],
      button: 'Ouvrir la facture',
    }),
    PAYMENT_FAILED: ({ app, plan, money, retryDay, deadline }) => ({
      subject: `Le paiement pour ${app} a échoué`,
      sentences: [
        `Nous n’avons pas pu prélever ${money} pour ${plan} de ${app}.`,
        ...(retryDay ? [`Nous réessaierons le ${retryDay}.`] : []),
        ...(deadline ? [`Si la facture n’est pas payée avant le ${deadline}, l’abonnement prend fin.`] : []),
      ],
      button: `Payer ${money} maintenant`,
    }),
    BANK_CONFIRMATION: ({ app, money }) => ({
      subject: `Confirmez votre paiement pour ${app}`,
      sentences: [
        `Votre banque vous demande de confirmer un paiement de ${money}.`,
        'Le paiement ne sera effectué qu’après votre confirmation.',
      ],
      button: 'Confirmer le paiement',
    }),
    TRIAL_ENDING: ({ app, plan, day, price }) => ({
      subject: `Votre essai de ${app} se termine le ${day}`,
      sentences: [
        `${plan} est gratuit jusqu’au ${day}. Ensuite, le tarif est de ${price}.`,
        'Pour ne rien payer, résiliez avant cette date.',
      ],
      button: 'Ouvrir l’abonnement',
    }),
    CARD_EXPIRING: ({ card, day }) => ({
      subject: 'Votre carte expire bientôt',
      sentences: [
        `Vos abonnements sont payés avec ${card}, qui expire le ${day}.`,
        'Ajoutez votre nouvelle carte pour éviter un échec de paiement.',
      ],
      button: 'Ajouter une carte',
    }),
    CANCELLED: ({ app, plan, day }) => ({
      subject: `Vous avez résilié ${app}`,
      sentences: [
        `Vous pouvez utiliser ${plan} de ${app} jusqu’au ${day}. Plus rien ne sera prélevé.`,
        'D’ici là, vous pouvez changer d’avis.',
      ],
      button: 'Ouvrir l’abonnement',
    }),
    ENDED: ({ app, plan, reason }) => ({
      subject: `Votre abonnement à ${app} a pris fin`,
      sentences: [
        `${plan} de ${app} a pris fin.`,
        {
          CANCELLED: 'Vous avez résilié l’abonnement. Plus rien ne sera prélevé.',
          DISPUTED: 'Votre banque a repris un paiement. Plus rien ne sera prélevé.',
          NON_PAYMENT: 'La facture n’a pas été payée à temps.',
          OPERATOR: 'La plateforme a mis fin à l’abonnement. Plus rien ne sera prélevé.',
        }[reason],
      ],
      button: 'Ouvrir l’abonnement',
    }),
    RESTORED: ({ app, plan, day, price }) => ({
      subject: `Votre abonnement à ${app} continue`,
      sentences: [
        `La résiliation de ${plan} a été annulée.`,
        `La prochaine période commence le ${day}, au tarif de ${price}.`,
      ],
      button: 'Ouvrir l’abonnement',
    }),
    PLAN_CHANGED: ({ app, plan, price }) => ({
      subject: `Votre formule pour ${app} a changé`,
      sentences: [`Votre formule est maintenant ${plan}. Son tarif est de ${price}.`],
      button: 'Ouvrir l’abonnement',
    }),
    REFUND: ({ app, money, number }) => ({
      subject: `Remboursement de ${money} pour ${app}`,
      sentences: [
        `Nous avons remboursé ${money} sur la facture ${number}.`,
        'Le montant peut mettre quelques jours à apparaître sur votre compte.',
      ],
      button: 'Ouvrir la facture',
    }),
    RENEWAL_AHEAD: ({ app, plan, day, price }) => ({
      subject: `${app} se renouvelle le ${day}`,
      sentences: [
        `${plan} de ${app} se renouvelle le ${day} au tarif de ${price}.`,
        'Pour arrêter, résiliez avant cette date.',
      ],
      button: 'Ouvrir l’abonnement',
    }),
  },
}
