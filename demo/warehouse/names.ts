/** Given and family names by country, so that a customer's name fits the home city. */
export const NAMES: Readonly<
  Record<string, { readonly given: readonly string[]; readonly family: readonly string[] }>
> = {
  Denmark: {
    given: 'Freja Emil Ida Noah Clara William Anna Oscar Sofie Magnus Laura Anton Karla Malthe Signe Rasmus'.split(' '),
    family:
      'Nielsen Jensen Hansen Pedersen Andersen Christensen Larsen Sørensen Rasmussen Møller Holm Lund Kjær Bruun'.split(
        ' ',
      ),
  },
  Sweden: {
    given: 'Alice Lucas Maja Liam Elsa Elias Astrid Hugo Ebba Axel Wilma Nils Saga Gustav Linnea Viktor'.split(' '),
    family:
      'Johansson Andersson Karlsson Nilsson Eriksson Larsson Olsson Persson Svensson Lindberg Åkesson Berg Sjöberg Wallin'.split(
        ' ',
      ),
  },
  Norway: {
    given: 'Nora Jakob Ingrid Henrik Solveig Sander Thea Olav Maren Sindre Tuva Eirik Hedda Lars'.split(' '),
    family: 'Hansen Johansen Olsen Larsen Berg Haugen Hagen Bakken Solberg Moen Strand Lie Dahl'.split(' '),
  },
  Finland: {
    given: 'Aino Eino Helmi Väinö Sofia Leo Aada Onni Venla Oliver Iida Eetu Pinja Juho'.split(' '),
    family:
      'Korhonen Virtanen Mäkinen Nieminen Mäkelä Hämäläinen Laine Heikkinen Koskinen Järvinen Lehtonen Salo'.split(' '),
  },
  Netherlands: {
    given: 'Emma Daan Julia Sem Tess Lucas Sanne Bram Fleur Thijs Lotte Jesse Anouk Ruben Femke Sander'.split(' '),
    family: 'Bakker Visser Smit Meijer Mulder Bos Vos Peters Hendriks Dekker Brouwer Jacobs Kok Willems Kuipers'.split(
      ' ',
    ),
  },
  Belgium: {
    given: 'Olivia Arthur Louise Jules Camille Victor Marie Lore Wout Margaux Nathan Elise Matteo Charlotte'.split(' '),
    family: 'Peeters Janssens Maes Jacobs Mertens Willems Claes Goossens Dubois Lambert Dupont Martens Wouters'.split(
      ' ',
    ),
  },
  France: {
    given: 'Jade Gabriel Louise Raphaël Alice Léo Chloé Louis Inès Adam Manon Hugo Camille Antoine Élise Mathis'.split(
      ' ',
    ),
    family:
      'Martin Bernard Dubois Thomas Robert Richard Petit Durand Leroy Moreau Simon Laurent Lefèvre Michel Garnier'.split(
        ' ',
      ),
  },
  Germany: {
    given: 'Mia Ben Emilia Paul Hannah Jonas Lina Felix Marie Finn Johanna Moritz Klara Anton Greta Lukas'.split(' '),
    family:
      'Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann Schäfer Koch Bauer Richter Klein Wolf'.split(
        ' ',
      ),
  },
  Austria: {
    given:
      'Anna Maximilian Valentina Jakob Magdalena Elias Katharina Tobias Lena Florian Theresa Simon Johanna Fabian'.split(
        ' ',
      ),
    family: 'Gruber Huber Bauer Wagner Müller Pichler Steiner Moser Mayer Hofer Leitner Berger Fuchs Eder'.split(' '),
  },
  Czechia: {
    given: 'Eliška Jakub Anna Jan Adéla Tomáš Tereza Matěj Karolína Vojtěch Natálie Ondřej'.split(' '),
    family: 'Novák Svoboda Dvořák Černý Procházka Kučera Veselý Horák Němec Pokorný Marek Beneš'.split(' '),
  },
  Poland: {
    given: 'Zuzanna Antoni Julia Jan Maja Aleksander Hanna Franciszek Lena Jakub Alicja Wojciech'.split(' '),
    family: 'Nowak Wójcik Kowalczyk Woźniak Mazur Krawczyk Kaczmarek Zając Król Wróbel Pawlak Michalak'.split(' '),
  },
  Italy: {
    given:
      'Sofia Leonardo Giulia Francesco Aurora Alessandro Ginevra Lorenzo Beatrice Mattia Alice Tommaso Chiara Gabriele'.split(
        ' ',
      ),
    family:
      'Rossi Ferrari Russo Bianchi Romano Gallo Costa Fontana Conti Ricci Bruno Moretti Greco Lombardi Marino'.split(
        ' ',
      ),
  },
  Spain: {
    given: 'Lucía Hugo Sofía Mateo Martina Martín María Pablo Paula Alejandro Carmen Daniel Alba Álvaro'.split(' '),
    family:
      'García Fernández González Rodríguez López Martínez Sánchez Pérez Gómez Ruiz Díaz Moreno Navarro Torres'.split(
        ' ',
      ),
  },
  Portugal: {
    given: 'Maria Francisco Leonor João Matilde Afonso Beatriz Tomás Carolina Duarte Mariana Gonçalo'.split(' '),
    family:
      'Silva Santos Ferreira Pereira Oliveira Costa Rodrigues Martins Sousa Fernandes Gonçalves Gomes Lopes'.split(' '),
  },
};
