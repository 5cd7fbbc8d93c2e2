"""Problems and their stages, declared; sources lie beside the declarations."""
