mod wording;
